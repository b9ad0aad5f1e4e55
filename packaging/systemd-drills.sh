# shellcheck shell=bash
# What packaging/try-in-systemd.sh tries, in this order. Sourced by it, never run.

readonly conf=/etc/dailymetricd/dailymetricd.conf
readonly drop_ins=/etc/systemd/system/dailymetricd.service.d

silent() { ! logged "$1"; }
# Whether it works shows in what is checked next.
restart() { machine systemctl restart dailymetricd || true; }
in_file() { machine sh -c "cat >'$1'"; }

drill_install() {
  local seconds
  machine systemctl stop postgresql
  seconds=$(seconds_of machine dpkg --install /var/tmp/first.deb)
  check "the package installs while the database is down, and does not wait for it ($seconds s)" \
    takes_between 0 20 "$seconds"
  check "the service is enabled" machine systemctl is-enabled dailymetricd
  check "and ready, with nobody to talk to" shows ActiveState active
  eventually "its status line says what it waits for" shows StatusText 'waiting for the database, attempt *'
  check "manual pages are installed" machine test -s /usr/share/man/man8/dailymetricd.8.gz -a \
    -s /usr/share/man/man5/dailymetricd.conf.5.gz
  check "the unit is in order" machine systemd-analyze verify --man=no dailymetricd.service
  machine systemctl start postgresql
  query "CREATE ROLE dailymetricd LOGIN" postgres
  query "CREATE DATABASE dailymetric OWNER dailymetricd" postgres
  eventually "a database without the schema ends it, once and for all" shows ExecMainStatus 78
  check "migrate makes the schema as the service's own user" daemon migrate
  restart
  eventually "then it waits for payloads" shows StatusText 'waiting for payloads*'
}

drill_work() {
  local pid
  enqueue 1 >/dev/null
  eventually "a payload becomes a measured cell" answers "SELECT value FROM daily_metric WHERE status = 'measured'" 1
  pid=$(property MainPID)
  check "it runs as dailymetricd, without capabilities, without new privileges, behind a filter of system calls" \
    machine sh -c "test \$(stat -c %U /proc/$pid) = dailymetricd &&
      grep -q 'CapBnd:.0000000000000000' /proc/$pid/status && grep -q 'NoNewPrivs:.1' /proc/$pid/status &&
      grep -q 'Seccomp:.2' /proc/$pid/status"
  check "no thread complains that it may not raise its priority" silent 'thread priority'
  note "memory: $(machine sh -c "grep -E 'VmRSS|RssAnon' /proc/$pid/status" | tr -s '\t\n ' ' ')"
}

drill_reload() {
  local pid seconds
  pid=$(property MainPID)
  machine sed -i 's/^#batch = .*/batch = 50/; s/^#workers = .*/workers = 3/' "$conf"
  seconds=$(seconds_of machine systemctl reload dailymetricd)
  eventually "a reload takes over what it can ($seconds s)" logged 'read the settings again" changed=batch'
  check "and says what waits for a restart" logged 'hold from the next start on" settings=workers'
  machine sed -i 's/^batch = .*/batch = many/' "$conf"
  machine systemctl reload dailymetricd
  eventually "a mistake in the file leaves the old settings in force" logged "the old ones stay in force.*batch is"
  check "the process is the same all the time" shows MainPID "$pid"
  check "and active" shows ActiveState active
  machine sed -i 's/^batch = .*/batch = 100/' "$conf"
  (($(machine systemctl --version | awk 'NR == 1 { print $2 }') < 253)) || drill_notify_reload
}

# Newer managers send the signal themselves and wait for the answer.
drill_notify_reload() {
  local pid
  machine mkdir -p "$drop_ins"
  printf '[Service]\nType=notify-reload\nExecReload=\n' | in_file "$drop_ins/reload.conf"
  machine systemctl daemon-reload
  restart
  eventually "as Type=notify-reload it starts" shows StatusText 'waiting for payloads*'
  pid=$(property MainPID)
  machine sed -i 's/^batch = .*/batch = 101/' "$conf"
  check "and a reload waits until the settings are read ($(seconds_of machine systemctl reload dailymetricd) s)" \
    logged 'read the settings again" changed=batch'
  check "by the same process" shows MainPID "$pid"
  machine sed -i 's/^batch = .*/batch = 100/' "$conf"
  machine rm "$drop_ins/reload.conf"
  machine systemctl daemon-reload
  restart
}

drill_crash() {
  local pid
  pid=$(property MainPID)
  machine kill -9 "$pid"
  eventually "after kill -9 it is started again" another_process_than "$pid"
  eventually "and works" shows StatusText 'waiting for payloads*'
}

drill_watchdog() {
  local pid begin
  machine mkdir -p "$drop_ins"
  printf '[Service]\nWatchdogSec=4s\n' | in_file "$drop_ins/watchdog.conf"
  machine systemctl daemon-reload
  restart
  eventually "with a watchdog of 4 s" shows StatusText 'waiting for payloads*'
  pid=$(property MainPID)
  begin=$SECONDS
  machine kill -STOP "$pid"
  eventually "a process that hangs (SIGSTOP) is ended and started again" another_process_than "$pid"
  note "after $((SECONDS - begin)) s"
  check "by the watchdog" logged 'Watchdog timeout'
  machine rm "$drop_ins/watchdog.conf"
  machine systemctl daemon-reload
  restart
}

drill_stop() {
  local locked seconds
  eventually "it waits for payloads" shows StatusText 'waiting for payloads*'
  query "BEGIN; LOCK TABLE evidence.reading IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(6); COMMIT" >/dev/null &
  locked=$!
  eventually "somebody holds a table" answers "SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock'
    AND relation = 'evidence.reading'::regclass" 1
  enqueue 2 >/dev/null
  eventually "a batch waits for it" answers "SELECT count(*) > 0 FROM pg_locks WHERE NOT granted" t
  seconds=$(seconds_of machine systemctl stop dailymetricd)
  wait "$locked"
  check "stop waits for the batch in hand ($seconds s)" takes_between 1 30 "$seconds"
  check "which is committed" answers 'SELECT count(*) FROM intake.receipt' 2
  check "and the end is a success" shows Result success
  check "with status 0" shows ExecMainStatus 0
}

drill_credentials() {
  local pid
  query "ALTER ROLE dailymetricd PASSWORD 'correct horse'"
  printf 'dsn = host=127.0.0.1 dbname=dailymetric user=dailymetricd\n' | machine sh -c "cat >>'$conf'"
  machine systemctl start dailymetricd
  eventually "over TCP without a password the service is up and says what is wrong" \
    shows StatusText '*no password supplied*'
  machine mkdir -p -m 0700 /etc/credstore
  printf 'correct horse\n' | machine sh -c 'umask 077; cat >/etc/credstore/dailymetricd.password'
  restart
  eventually "with the credential it works" shows StatusText 'waiting for payloads*'
  pid=$(property MainPID)
  check "by SCRAM over TCP" answers "SELECT count(*) > 0 FROM pg_stat_activity WHERE usename = 'dailymetricd'
    AND client_addr = '127.0.0.1'" t
  check "the secret is in no environment, no command line and no log" machine sh -c \
    "! cat /proc/$pid/environ /proc/$pid/cmdline | grep -qa 'correct horse' && ! journalctl -o cat | grep -q 'correct horse'"
  printf 'wrong\n' | machine sh -c 'cat >/etc/credstore/dailymetricd.password'
  restart
  eventually "a wrong one is said, and does not end the service" shows StatusText '*password authentication failed*'
  printf 'host=127.0.0.1 dbname=dailymetric user=dailymetricd password=correct\\ horse\n' |
    machine sh -c 'umask 077; cat >/etc/credstore/dailymetricd.dsn'
  restart
  eventually "a connection string may be a credential as a whole" shows StatusText 'waiting for payloads*'
  machine rm /etc/credstore/dailymetricd.dsn /etc/credstore/dailymetricd.password
  printf 'correct horse' | machine systemd-creds encrypt --with-key=host --name=dailymetricd.password - \
    /etc/dailymetricd/password.cred >/dev/null 2>&1
  printf '[Service]\nLoadCredentialEncrypted=dailymetricd.password:/etc/dailymetricd/password.cred\n' |
    in_file "$drop_ins/encrypted.conf"
  machine systemctl daemon-reload
  restart
  eventually "and be encrypted on the disk" shows StatusText 'waiting for payloads*'
  machine rm "$drop_ins/encrypted.conf" /etc/dailymetricd/password.cred
  printf 'left behind\n' | in_file /etc/credstore/dailymetricd.password
  machine sed -i '/^dsn = /d' "$conf"
}

drill_sandbox() {
  local name most score
  for name in none:12 tcp:12 socket-only:3; do
    most=${name#*:}
    name=${name%:*}
    machine rm -f "$drop_ins"/*.conf
    [[ $name == none ]] || machine cp "/usr/share/dailymetricd/systemd/$name.conf" "$drop_ins/"
    machine systemctl daemon-reload
    restart
    score=$(machine systemd-analyze security --no-pager dailymetricd | sed -n 's/.*exposure level.*: \([0-9.]*\).*/\1/p')
    check "exposure with drop-in $name: $score" machine systemd-analyze security --threshold="$most" dailymetricd
    eventually "and the service works with it" shows StatusText 'waiting for payloads*'
  done
}

drill_upgrade() {
  local pid
  pid=$(property MainPID)
  check "the package is upgraded" machine dpkg --install /var/tmp/second.deb
  check "to the later version" machine sh -c "dpkg-query --show dailymetricd | grep -q later"
  check "the old process goes on working" shows MainPID "$pid"
  check "an edited file of settings is kept" machine grep -q '^batch = 100' "$conf"
  restart
  check "a restart runs the new file" machine sh -c "! readlink /proc/\$(systemctl show --value -p MainPID dailymetricd)/exe | grep -q deleted"
  enqueue 3 >/dev/null
  eventually "and works" answers 'SELECT count(*) FROM intake.receipt' 3
}

drill_removal() {
  check "the package is removed" machine dpkg --remove dailymetricd
  check "nothing runs any more" machine sh -c '! pgrep -x dailymetricd'
  check "settings stay" machine test -s "$conf"
  check "it is purged" machine dpkg --purge dailymetricd
  check "settings and secrets are gone" machine sh -c '! test -e /etc/dailymetricd && ! ls /etc/credstore | grep -q dailymetricd'
  check "no unit is left" machine sh -c '! systemctl cat dailymetricd'
  check "what was measured stays" answers "SELECT count(*) FROM daily_metric WHERE status = 'measured'" 1
}
