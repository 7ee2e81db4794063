/* sort.h: sorting, for qsort and qsort_r, which say what ORDER, COMPARE and CONTEXT are.
 *
 * Equal elements stay in order, as with glibc, and no memory is needed but the stack: halves are sorted
 * and merged in place, by exchanging the end of one half with the beginning of the other.  Few elements
 * are inserted one by one. */

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

/* Merges `left` sorted elements with the `right` ones after them. */
static void merge(char *base, size_t left, size_t right, size_t size, ORDER) {
    while (left && right) {
        char *middle = base + left * size, *first, *second;
        if (COMPARE(middle - size, middle) <= 0)
            return;
        if (left + right == 2) {
            swap(base, middle, size);
            return;
        }
        if (left > right) {
            first = base + left / 2 * size;
            second = bound(middle, right, size, first, 0, CONTEXT);
        } else {
            second = middle + right / 2 * size;
            first = bound(base, left, size, second, 1, CONTEXT);
        }
        size_t before = (size_t)(first - base) / size, moved = (size_t)(second - middle) / size;
        rotate(first, middle, second, size);
        merge(base, before, moved, size, CONTEXT);
        base += (before + moved) * size;
        left -= before;
        right -= moved;
    }
}

static void sort(char *base, size_t count, size_t size, ORDER) {
    if (count <= 12) {
        for (size_t i = 1; i < count; i++)
            for (size_t j = i; j && COMPARE(base + (j - 1) * size, base + j * size) > 0; j--)
                swap(base + (j - 1) * size, base + j * size, size);
        return;
    }
    sort(base, count / 2, size, CONTEXT);
    sort(base + count / 2 * size, count - count / 2, size, CONTEXT);
    merge(base, count / 2, count - count / 2, size, CONTEXT);
}
