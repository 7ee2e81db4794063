#define NV_ATTRIBUTE(how) __attribute__((how))
#define IN_FRAM(type, name) NV_ATTRIBUTE(persistent) type name
#define KEEP(name) _Pragma("NOINIT") int name
