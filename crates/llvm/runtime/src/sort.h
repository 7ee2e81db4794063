/* sort.h: sorting, for qsort and qsort_r, which say what ORDER, COMPARE and CONTEXT are.
 *
 * Equal elements stay in order, as with glibc, and no memory is needed but the stack: stretches of few
 * elements are sorted by insertion, and neighbours are merged in place, by exchanging the end of one with the
 * beginning of the other. */

static void swap(char *a, char *b, size_t size) {
    while (size--) {
        char c = *a;
        *a++ = *b;
        *b++ = c;
    }
}

static void reverse(char *first, char *end, size_t size) {
    while (first < end && first < (end -= size)) {
        swap(first, end, size);
        first += size;
    }
}

/* Exchanges two neighbouring stretches. */
static void rotate(char *first, char *middle, char *end, size_t size) {
    if (first == middle || middle == end)
        return;
    reverse(first, middle, size);
    reverse(middle, end, size);
    reverse(first, end, size);
}

/* The first of `count` sorted elements that is not less than the key; with `after`, that is greater. */
static char *bound(char *base, size_t count, size_t size, const char *key, int after, ORDER) {
    while (count) {
        char *middle = base + count / 2 * size;
        if (after ? COMPARE(key, middle) >= 0 : COMPARE(middle, key) < 0) {
            base = middle + size;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return base;
}

/* Merges `left` sorted elements with the `right` ones after them.  Half of the longer stretch says where both
 * are cut, and what is left are two merges: the smaller one at once, so that few have to wait. */
static void merge(char *base, size_t left, size_t right, size_t size, ORDER) {
    struct {
        char *base;
        size_t left, right;
    } waiting[8 * sizeof(size_t)];
    for (int count = 0;;) {
        while (left && right && COMPARE(base + (left - 1) * size, base + left * size) > 0) {
            char *middle = base + left * size, *first = base, *second = middle;
            if (left == 1 && right == 1) {
                swap(base, middle, size);
                break;
            }
            if (left > right) {
                first += left / 2 * size;
                second = bound(middle, right, size, first, 0, CONTEXT);
            } else {
                second += right / 2 * size;
                first = bound(base, left, size, second, 1, CONTEXT);
            }
            size_t before = (size_t)(first - base) / size, moved = (size_t)(second - middle) / size;
            rotate(first, middle, second, size);
            char *after = base + (before + moved) * size;
            if (before + moved < (left + right) / 2) {
                waiting[count].base = after;
                waiting[count].left = left - before;
                waiting[count++].right = right - moved;
                left = before, right = moved;
            } else {
                waiting[count].base = base;
                waiting[count].left = before;
                waiting[count++].right = moved;
                base = after, left -= before, right -= moved;
            }
        }
        if (!count)
            return;
        base = waiting[--count].base;
        left = waiting[count].left;
        right = waiting[count].right;
    }
}

#define FEW 12

static void sort(char *base, size_t count, size_t size, ORDER) {
    for (size_t start = 0; start < count; start += FEW)
        for (size_t i = start + 1; i < count && i < start + FEW; i++)
            for (size_t j = i; j > start && COMPARE(base + (j - 1) * size, base + j * size) > 0; j--)
                swap(base + (j - 1) * size, base + j * size, size);
    for (size_t width = FEW, half = count / 2; width < count; width = width > half ? count : 2 * width)
        for (size_t start = 0; count - start > width;) {
            size_t rest = count - start - width;
            merge(base + start * size, width, rest < width ? rest : width, size, CONTEXT);
            start += rest < width ? width + rest : 2 * width;
        }
}
