# Prints FILE:LINE: RULE for each Swift function of more than 40 lines. The formatter guarantees the indentation, so a
# function ends at the brace below its first letter. A protocol's requirement has no body and ends where it stands.
FNR == 1 { inside = 0 }

match($0, /^ *([@a-z(), ]+ )?(func|init|deinit|subscript)[ ?(<]/) {
  match($0, /^ */)
  if (!inside || RLENGTH <= indent) {
    indent = RLENGTH
    first = FNR
    inside = ($0 !~ /} *$/)
  }
}

inside && $0 == substr($0, 1, indent) "}" {
  lines = FNR - first + 1
  file = FILENAME
  sub(/^\.\//, "", file)
  if (lines > 40) printf "%s:%d: a function has at most 40 lines, this one has %d\n", file, first, lines
  inside = 0
}
