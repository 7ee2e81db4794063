//! The same, with the new value in a variable of its own.
//@ policy: static
//@ nv: symbol:count,symbol:next

int count, next;

step(by)
int by;
{
    next = count + by;
    return next;
}

main(argc, argv)
char **argv;
{
    brownout_checkpoint();
    step(2);
    brownout_checkpoint();
    count = next;
    return 0;
}
