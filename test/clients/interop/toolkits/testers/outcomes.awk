# Prints an outcome for each sample of JMeter's results.
NR > 1 {
  split($3, name, " ")
  gsub(/["\\]/, "", $9)
  printf "{\"operation\":\"%s\",\"transport\":\"%s\",\"check\":\"%s\",\"ok\":%s,\"detail\":\"%s\"}\n", name[1], ENVIRON["TRANSPORT"], name[2], $8, $9
}
