seq 0 7 | parallel mop bill fetch --missing --shard {}/8 --quiet -o bills/
