#!/usr/bin/env bash
# Installs programs that tests run as they are: a browser, mail servers, PostgreSQL and Go. Only in CI, as root, on Debian
# or Ubuntu. Never fails: a test whose program is missing is skipped, or fails (the browser, PostgreSQL), and says so.
set -u
[ "${CI:-}" = true ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0

declare -A package_of=(
  [chromium]=chromium
  [dovecot]=dovecot-imapd
  [/usr/lib/python3/dist-packages/aiosmtpd]=python3-aiosmtpd
  [go]=golang-go
  ["/usr/lib/postgresql/*/bin/initdb"]=postgresql
)
missing=()
for program in "${!package_of[@]}"; do
  command -v "$program" >/dev/null || compgen -G "$program" >/dev/null || missing+=("${package_of[$program]}")
done
[ "${#missing[@]}" = 0 ] && exit 0

echo "Installing programs for the tests: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log="$(mktemp)"
{ timeout 120 apt-get -q update && timeout 600 apt-get -q install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 ||
  { echo "Not all could be installed; their tests are skipped:"; tail -n 5 "$log"; }
rm -f "$log"
