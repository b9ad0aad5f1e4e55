#!/usr/bin/env bash
# Feeds the decoder damaged payloads with libFuzzer, guided by coverage, under AddressSanitizer.
#   scripts/fuzz.sh [SECONDS]      60 by default; begins with fuzz/corpus.base64, goes on with what it has learnt in .build/fuzz
#   scripts/fuzz.sh keep           writes what was learnt to fuzz/corpus.base64: the inputs that reach other code than the rest
# Exits with another code than 0 if an input breaks what must hold; the input is then in .build/fuzz. make test decodes the kept
# corpus too. Needs the fuzzer's library of Swift's toolchain for Linux.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

readonly place=$root/.build/fuzz kept=$root/fuzz/corpus.base64
# A crashed process that is being explained would not end.
export ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no

build() {
  rm -rf "$place/Sources" "$place/catalogue"
  mkdir -p "$place/Sources" "$place/corpus"
  cp -R Sources/HealthPayload Sources/PayloadDecoder fuzz/FuzzDecode "$place/Sources"
  cp -R catalogue "$place"
  # A package of its own, because flags that sanitize are not for the others.
  cp fuzz/Package.swift "$place"
  (cd "$place" && swift build -c release --product FuzzDecode)
}

# One input a line: they hold any bytes, and a thousand files of a hundred bytes are no pleasure in a repository.
unpack() {
  local line number=0
  while IFS= read -r line; do
    number=$((number + 1))
    base64 -d <<<"$line" >"$place/corpus/kept-$number"
  done <"$kept"
  cp Tests/PayloadDecoderTests/fixtures/*.json "$place/corpus"
}

keep() {
  local file
  rm -rf "$place/kept"
  mkdir "$place/kept"
  (cd "$place" && .build/release/FuzzDecode -set_cover_merge=1 -max_len=2048 kept corpus 2>&1 | tail -n 3)
  for file in "$place/kept"/*; do
    base64 -w 0 "$file"
    echo
  done | sort >"$kept"
  say "kept $(wc -l <"$kept") inputs in $kept"
}

case ${1:-60} in
keep) keep ;;
*[!0-9]*) fail "$EX_USAGE" "use a number of seconds, or keep" ;;
*)
  build
  unpack
  # An input that takes long is a finding, but a machine with much to do is none.
  (cd "$place" && .build/release/FuzzDecode corpus -max_total_time="${1:-60}" -max_len=4096 -timeout=300 -print_final_stats=1)
  ;;
esac
