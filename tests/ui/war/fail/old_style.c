//! C from before the standard: parameters after the parenthesis, no types, no declarations.
//@ policy: static
//@ nv: symbol:count

int count;
int table[4];

step(by)
int by;
{
    register now;
    now = count;
    table[now & 3] = by;
    count = now + by; /* read, then overwritten */ //~ ERROR [war] `count` is read, then overwritten
    return now;
}

main(argc, argv)
char **argv;
{
    brownout_checkpoint();
    step(2);
    brownout_checkpoint();
    return 0;
}
