#!/usr/bin/env bash
# An app outside of this package can take HealthPayload, and gets nothing else with it. What it encodes the daemon accepts; what
# would make a fake zero does not compile.

source "$(dirname "${BASH_SOURCE[0]}")/support/tap.sh"
scratch=$PWD/.build/client
work=$(mktemp -d)
trap 'rm -rf "$DAILYMETRICD_STATE" "$work"' EXIT
modules=$scratch/debug/Modules
client=$scratch/debug/Client
options=(-swift-version 6 -warnings-as-errors)
for feature in ExistentialAny InternalImportsByDefault MemberImportVisibility; do
  options+=(-enable-upcoming-feature "$feature")
done

builds() { swift build --package-path Tests/ClientPackage --scratch-path "$scratch"; }

# Foundation's own libraries, Swift's, and those of C. Anything else is somebody's dependency.
links_nothing_else() {
  local libraries
  libraries=$(ldd "$client" | awk '{ print $1 }' | sed 's|.*/||') || return
  grep -qx libFoundation.so <<<"$libraries" || return
  ! grep -vE '^(lib_?Foundation\w*|libswift\w*|libdispatch|libBlocksRuntime)\.so$|^(linux-vdso|ld-linux[-a-z0-9_]*|lib(c|m|stdc\+\+|gcc_s|dl|pthread|util|rt))\.so\.[0-9]+$' <<<"$libraries"
}

# Of all targets of the package, only the library was compiled.
compiles_nothing_else() {
  local built
  built=$(find "$scratch/debug/" -name '*.swiftmodule' -path '*/Modules/*' -printf '%f\n' | sort | tr '\n' ' ')
  echo "$built"
  [[ $built == 'Client.swiftmodule HealthPayload.swiftmodule ' ]]
}

accepted() { "$client" "$1" | tee "$work/$1.ndjson" | .build/debug/dailymetricd validate -; }

# A locked phone: every day says how it failed, none has a number, and no read has ever succeeded.
locked_has_no_number() {
  jq -e '(.days | length >= 7) and all(.days[]; .outcome == "failed" and .code == "HKError.6" and (has("value") | not))
    and .read.last_successful_read_at == null and (.read | has("last_successful_read_at"))' "$work/locked.ndjson"
}
zero_stays_zero() { jq -e '[.days[] | select(.outcome == "value") | .value] == [8123, 0, 412]' "$work/sync.ndjson"; }
load_is_whole() {
  jq -se '([.[].read.page] == [1, 2]) and ([.[].read.final_page] == [false, true])
    and ([.[].read.load_id] | unique | length == 1) and ([.[].days[]] | length == 31)' "$work/load.ndjson"
}
tiles_differ() { [[ $("$client" tiles | sort -u | wc -l) == 4 ]]; }

# refused FILE: it does not compile, for the reason that its first line names.
refused() {
  local reason output
  reason=$(sed -n '1s|^// Must not compile: ||p' "$1")
  [[ -n $reason ]] || return
  if output=$(swiftc -typecheck "${options[@]}" -I "$modules" "$1" 2>&1); then return 1; fi
  echo "$output"
  [[ $output == *"$reason"* ]]
}
# The same way of compiling accepts what is right.
right_compiles() {
  printf 'import HealthPayload\nfunc zero() -> DayEntry.Outcome { .value(ExactNumber(0), unit: "1") }\n' >"$work/right.swift"
  swiftc -typecheck "${options[@]}" -I "$modules" "$work/right.swift"
}

# HealthPayloadApple, against stand-ins that declare what it uses of Apple's frameworks.
apple_types_fit() {
  local framework
  mkdir -p "$work/stand-ins"
  for framework in HealthKit CoreLocation CoreMotion; do
    swiftc "${options[@]}" -emit-module -module-name "$framework" -emit-module-path "$work/stand-ins/$framework.swiftmodule" \
      "Tests/AppleStandIns/$framework.swift" || return
  done
  swiftc -typecheck "${options[@]}" -module-name HealthPayloadApple -I "$work/stand-ins" -I "$modules" Sources/HealthPayloadApple/*.swift
}

documentation() { HEALTHPAYLOAD_MODULES=$modules scripts/docs.sh; }

ok 'an app that takes HealthPayload builds' builds
ok 'it links Foundation and what Foundation needs, and nothing else' links_nothing_else
ok 'no other target of the package is compiled for it' compiles_nothing_else
for command in sync locked load; do ok "the daemon accepts what it sends ($command)" accepted "$command"; done
ok 'on a locked phone no day has a number' locked_has_no_number
ok 'a zero that was measured is sent as one' zero_stays_zero
ok 'a history load has numbered pages and an end' load_is_whole
ok 'a load with failed days is abandoned, and says so' fails_with 1 "$client" locked-load
ok 'no floors, no barometer, no permission and no answer look different' tiles_differ
ok 'what is right compiles' right_compiles
for file in Tests/ClientPackage/refused/*.swift; do ok "does not compile: $(basename "$file" .swift)" refused "$file"; done
ok 'the initialisers for types of Apple fit the types that Apple documents' apple_types_fit
ok 'the documentation is built, and each of its links leads somewhere' documentation
done_testing
