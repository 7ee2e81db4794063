/* heap.c: malloc and its family.
 *
 * All state of the allocator lives in the heap segment, so that it is lost or
 * kept exactly when the heap is.  A heap of zeros is a heap not yet used.
 *
 *     struct heap | block | block | ... | end mark
 *
 * A block is a header and a payload.  Headers hold the size of their own block
 * and of the one before it, so neighbours are found in both directions; free
 * blocks are also chained.  The first free block that is large enough is taken,
 * and free neighbours are always merged.
 *
 * Only functions whose names begin with heap_ or __brownout_heap_ touch this
 * book-keeping: the machine lets them past its bounds checks, so none of them
 * may be inlined into anything else. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

#define KEEP __attribute__((noinline))
#define ALIGNMENT (2 * sizeof(void *))
#define MAGIC ((size_t)0xb40a)

struct block {
    size_t before; /* size of the block before this one; 0: this is the first */
    size_t size;   /* of the whole block, header included; bit 0: in use */
    struct block *next, *previous; /* in the chain of free blocks; payload otherwise */
};

#define HEADER (2 * sizeof(size_t))
#define LEAST sizeof(struct block)
#define IN_USE ((size_t)1)

struct heap {
    size_t magic;
    struct block *free; /* the chain */
    struct block *first, *end;
};

static KEEP size_t heap_size_of(const struct block *b) { return b->size & ~IN_USE; }
static KEEP struct block *heap_after(struct block *b) {
    return (struct block *)(void *)((char *)b + heap_size_of(b));
}
static KEEP struct block *heap_before(struct block *b) {
    return (struct block *)(void *)((char *)b - b->before);
}
static KEEP struct block *heap_block(void *payload) {
    return (struct block *)(void *)((char *)payload - HEADER);
}
static KEEP void *heap_payload(struct block *b) { return (char *)b + HEADER; }

/* Lays out the segment on first use.  NULL if it is too small to be a heap. */
static KEEP struct heap *heap_get(void) {
    uintptr_t start = (uintptr_t)__brownout_heap_start();
    uintptr_t limit = start + __brownout_heap_size();
    uintptr_t at = (start + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
    uintptr_t first = (at + sizeof(struct heap) + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
    uintptr_t last = limit & ~(uintptr_t)(ALIGNMENT - 1);
    if (limit < start || last < first || last - first < LEAST + HEADER || at < start)
        return NULL;
    struct heap *heap = (struct heap *)at;
    if (heap->magic == MAGIC)
        return heap;
    struct block *b = (struct block *)first;
    struct block *end = (struct block *)(last - HEADER);
    b->before = 0;
    b->size = (size_t)(last - HEADER - first);
    b->next = b->previous = NULL;
    end->before = b->size;
    end->size = IN_USE; /* a block of no size that is never free */
    heap->free = heap->first = b;
    heap->end = end;
    heap->magic = MAGIC; /* last: half a layout is no layout */
    return heap;
}

static KEEP void heap_chain(struct heap *heap, struct block *b) {
    b->previous = NULL;
    b->next = heap->free;
    if (b->next)
        b->next->previous = b;
    heap->free = b;
}

static KEEP void heap_unchain(struct heap *heap, struct block *b) {
    if (b->previous)
        b->previous->next = b->next;
    else
        heap->free = b->next;
    if (b->next)
        b->next->previous = b->previous;
}

/* Frees b, which is in no chain, merging it with free neighbours. */
static KEEP void heap_release(struct heap *heap, struct block *b) {
    struct block *after = heap_after(b);
    b->size &= ~IN_USE;
    if (!(after->size & IN_USE)) {
        heap_unchain(heap, after);
        b->size += after->size;
    }
    if (b->before && !(heap_before(b)->size & IN_USE)) {
        struct block *before = heap_before(b);
        heap_unchain(heap, before);
        before->size += b->size;
        b = before;
    }
    heap_after(b)->before = b->size;
    heap_chain(heap, b);
}

/* Makes b, in use and in no chain, `size` bytes long if the rest is worth it. */
static KEEP void heap_trim(struct heap *heap, struct block *b, size_t size) {
    size_t rest = heap_size_of(b) - size;
    if (rest < LEAST)
        return;
    b->size = size | IN_USE;
    struct block *tail = heap_after(b);
    tail->before = size;
    tail->size = rest | IN_USE;
    heap_after(tail)->before = rest;
    heap_release(heap, tail);
}

/* The block size for a request; 0 if there can be none. */
static KEEP size_t heap_block_size(size_t request) {
    if (request > (size_t)PTRDIFF_MAX - HEADER - ALIGNMENT)
        return 0;
    size_t size = (request + HEADER + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    return size < LEAST ? LEAST : size;
}

static KEEP void *heap_none(void) {
    errno = ENOMEM;
    return NULL;
}

/* The free block b becomes a block in use whose payload lies at `payload`. */
static KEEP void *heap_take(struct heap *heap, struct block *b, uintptr_t payload, size_t size) {
    heap_unchain(heap, b);
    b->size |= IN_USE;
    size_t gap = (size_t)(payload - HEADER - (uintptr_t)b);
    if (gap) {
        struct block *rear = (struct block *)(payload - HEADER);
        rear->before = gap;
        rear->size = (heap_size_of(b) - gap) | IN_USE;
        heap_after(rear)->before = heap_size_of(rear);
        b->size = gap | IN_USE;
        heap_release(heap, b);
        b = rear;
    }
    heap_trim(heap, b, size);
    return heap_payload(b);
}

KEEP void *__brownout_heap_allocate(size_t request, size_t alignment) {
    struct heap *heap = heap_get();
    size_t size = heap_block_size(request);
    if (!heap || !size)
        return heap_none();
    for (struct block *b = heap->free; b; b = b->next) {
        uintptr_t start = (uintptr_t)b, end = start + b->size;
        uintptr_t payload = (start + HEADER + alignment - 1) & ~(uintptr_t)(alignment - 1);
        /* What is left in front must be able to stand as a block of its own. */
        while (payload - HEADER != start && payload - HEADER - start < LEAST)
            payload += alignment;
        if (payload >= start && payload < end && end - payload >= size - HEADER) {
            void *p = heap_take(heap, b, payload, size);
            __brownout_heap_allocated(p, request);
            return p;
        }
    }
    return heap_none();
}

/* The block of a pointer from the program, or the end of the run if it is none:
 * its header must agree with those of both neighbours. */
static KEEP struct block *heap_check(struct heap *heap, void *p) {
    struct block *b = heap_block(p);
    if (heap && (uintptr_t)p % ALIGNMENT == 0 && (uintptr_t)b >= (uintptr_t)heap->first &&
        (uintptr_t)b < (uintptr_t)heap->end && (b->size & IN_USE)) {
        size_t size = heap_size_of(b);
        if (size >= LEAST && size % ALIGNMENT == 0 &&
            size <= (uintptr_t)heap->end - (uintptr_t)b && heap_after(b)->before == size &&
            b->before <= (uintptr_t)b - (uintptr_t)heap->first &&
            b->before % ALIGNMENT == 0 &&
            (b->before ? heap_size_of(heap_before(b)) == b->before : b == heap->first))
            return b;
    }
    __brownout_bad_free(p);
}

KEEP void __brownout_heap_release(void *p) {
    struct heap *heap = heap_get();
    struct block *b = heap_check(heap, p);
    __brownout_heap_freed(p);
    heap_release(heap, b);
}

/* Resizes in place.  If that cannot be: false, and *have is the room there is. */
KEEP bool __brownout_heap_resize(void *p, size_t request, size_t *have) {
    struct heap *heap = heap_get();
    struct block *b = heap_check(heap, p);
    size_t size = heap_block_size(request), now = heap_size_of(b);
    struct block *after = heap_after(b);
    *have = now - HEADER;
    if (!size)
        return false;
    if (size > now) {
        if ((after->size & IN_USE) || after->size < size - now)
            return false;
        __brownout_heap_freed(p);
        heap_unchain(heap, after);
        b->size += after->size;
        heap_after(b)->before = heap_size_of(b);
    } else {
        __brownout_heap_freed(p);
    }
    heap_trim(heap, b, size);
    __brownout_heap_allocated(p, request);
    return true;
}

/* What programs call.  Weak here already, so that the compiler does not build
 * our malloc into our calloc: a program may bring its own of either. */

#define REPLACEABLE __attribute__((weak))

REPLACEABLE void *malloc(size_t size) { return __brownout_heap_allocate(size, ALIGNMENT); }

REPLACEABLE void free(void *p) {
    if (p)
        __brownout_heap_release(p);
}

void *calloc(size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = malloc(total);
    return p ? memset(p, 0, total) : NULL;
}

/* The copy is made by a heap_ function because it takes all the room of the old
 * block, of which the program may have asked for a little less. */
static KEEP void heap_move(void *to, const void *from, size_t n) { __brownout_copy(to, from, n); }

REPLACEABLE void *realloc(void *p, size_t size) {
    size_t have;
    if (!p)
        return malloc(size);
    if (!size) { /* as glibc has it */
        free(p);
        return NULL;
    }
    if (__brownout_heap_resize(p, size, &have))
        return p;
    void *moved = malloc(size);
    if (moved) {
        heap_move(moved, p, have < size ? have : size);
        free(p);
    }
    return moved;
}

void *reallocarray(void *p, size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(p, total);
}

REPLACEABLE void *aligned_alloc(size_t alignment, size_t size) {
    if (!alignment || (alignment & (alignment - 1)) || alignment > (size_t)PTRDIFF_MAX / 2) {
        errno = EINVAL;
        return NULL;
    }
    return __brownout_heap_allocate(size, alignment < ALIGNMENT ? ALIGNMENT : alignment);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) || !alignment || (alignment & (alignment - 1)))
        return EINVAL;
    int saved = errno;
    void *p = aligned_alloc(alignment, size);
    errno = saved;
    if (!p)
        return ENOMEM;
    *result = p;
    return 0;
}
