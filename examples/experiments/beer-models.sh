#!/bin/sh
# Makes a directory with beer-tuning.toml and the models of BEER that it tunes by (Stanojević 2017, table 6.4):
#
#   export PENTAGLOT_DATA=DATA
#   examples/experiments/beer-models.sh DIRECTORY && pentaglot experiment DIRECTORY/beer-tuning.toml
#
# The models learn from the WMT 2015 rankings of all languages but German, which the systems translate. Self-training
# also learns from lists of translations, by a system like theirs, of sentences that neither trains, tunes nor tests one.
set -eu
data=${PENTAGLOT_DATA:?name the directory of the corpora in PENTAGLOT_DATA}
out=${1:?name a directory for the models}
mkdir -p "$out"
cp "$(dirname "$0")/beer-tuning.toml" "$out"

for side in de en; do
    gzip -dc "$data/multi30k.de-en/train.$side.gz" | sed -n 1,3000p > "$out/train.$side"
    gzip -dc "$data/multi30k.de-en/train.$side.gz" | sed -n 3001,3300p > "$out/lists.$side"
done
pentaglot train "$out/train.de" "$out/train.en" -o "$out/system" --hold-out 0 -q
pentaglot translate "$out/system" "$out/lists.de" --nbest 100 -o "$out/lists" -q

set -- --skip-unknown -q --template thesis57 --no-monotone
for pair in cs-en en-cs fi-en en-fi fr-en en-fr ru-en en-ru; do
    ranked=$data/judgments/wmt15-rankings/wmt15.$pair
    set -- "$@" --rankings "$ranked.segments.tsv.gz" "$ranked.pairs.tsv.gz"
done
pentaglot beer train "$@" --no-symmetric -o "$out/plain.toml"
pentaglot beer train "$@" --no-symmetric --nbest "$out/lists" --nbest-references "$out/lists.en" -o "$out/self-trained.toml"
pentaglot beer train "$@" --symmetric -o "$out/symmetric.toml"
