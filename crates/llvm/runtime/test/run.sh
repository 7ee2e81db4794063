#!/bin/sh
# Checks the library: it must compile without a warning for every target and
# need nothing but the machine's services; then it is built for this computer,
# every symbol renamed to bo_*, and compared with the system's own C library.
#
#   test/run.sh [seed]      CLANG=clang-22 by default
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
clang=${CLANG:-clang-22}
version=${clang#clang}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-std=gnu11 -ffreestanding -nostdlibinc -O1 -fno-builtin -fno-vectorize -fno-slp-vectorize
       -gline-tables-only -Wall -Wextra -Werror -isystem $here/include"

for target in msp430 riscv32 thumbv6m-none-eabi thumbv7m-none-eabi i386-linux-gnu x86_64-linux-gnu
do
    out=$work/$target
    mkdir "$out"
    (cd "$out" && "$clang" --target=$target $flags -emit-llvm -c "$here"/src/*.c)
    for header in "$here"/include/*.h "$here"/include/sys/*.h; do
        name=${header#"$here"/include/}
        case $name in
        msp430*) test $target = msp430 || continue ;;
        core_cm* | cmsis_core.h) case $target in thumb*) ;; *) continue ;; esac ;;
        # A program is for one chip.
        stm32* | nrf*) continue ;;
        esac
        echo "#include <$name>"
    done >"$out/headers.c"
    cp "$out/headers.c" "$out/headers.cc"
    "$clang" --target=$target $flags -Wsystem-headers -fsyntax-only "$out/headers.c"
    "$clang" --target=$target -nostdlibinc -nostdinc++ -ffreestanding -Wall -Wextra -Werror \
        -Wsystem-headers -isystem "$here/include" -fsyntax-only "$out/headers.cc"
    case $target in
    thumb*)
        for header in "$here"/include/stm32??xx.h "$here"/include/nrf.h; do
            for language in c c++; do
                echo "#include <${header##*/}>" |
                    "$clang" --target=$target -x $language -ffreestanding -nostdlibinc -nostdinc++ -Wall -Wextra -Werror \
                        -Wsystem-headers -isystem "$here/include" -fsyntax-only -
            done
        done ;;
    esac
    "llvm-nm$version" --quiet "$out"/*.bc >"$out/symbols"
    awk '$2 ~ /^[TDBRVWC]$/ { have[$3] = 1 } $1 == "U" { want[$2] = 1 }
         END { for (s in want) if (!have[s]) print s }' "$out/symbols" | sort >"$out/undefined"
    # Every undefined symbol must be declared in machine.h (math goes by macro).
    for symbol in $(cat "$out/undefined"); do
        base=${symbol#__brownout_}
        case $symbol in
        _GLOBAL_OFFSET_TABLE_) continue ;;
        __brownout_*) grep -qE "__brownout_$base\(|DO\(${base%f}\)|DO\($base\)" "$here/src/machine.h" && continue ;;
        esac
        echo "$target: undefined symbol $symbol" >&2
        exit 1
    done
done
echo "compiles for all targets, headers for C and C++, services only"

"$clang" -Wall -Wextra -Werror -std=c11 -D__BROWNOUT__ -I "$here/include-brownout" -fsyntax-only "$here/test/annotations.c"
"$clang" -Wall -Wextra -Werror -std=c11 -I "$here/include-brownout" -fsyntax-only "$here/test/annotations.c"
"$clang" -Wall -Wextra -Werror -x c++ -D__BROWNOUT__ -I "$here/include-brownout" -fsyntax-only "$here/test/annotations.c"

mkdir "$work/host"
(cd "$work/host" && "$clang" $flags -fno-pic -c "$here"/src/*.c)
ld -r -o "$work/all.o" "$work"/host/*.o
objcopy --prefix-symbols=bo_ "$work/all.o" "$work/library.o"
"$clang" -std=gnu11 -O1 -fno-builtin -fno-pic -no-pie -Wall -Wextra -Wno-format -Wno-format-security \
    -o "$work/test" "$here/test/host.c" "$here/test/host_text.c" "$here/test/host_wide.c" "$work/library.o" -lm
"$work/test" ${1:-}

# The same program with the system's library and, 32 bits wide, with ours alone.
"$clang" -O1 -o "$work/native" "$here/test/small.c"
"$work/native" >"$work/native.txt"
mkdir "$work/32"
(cd "$work/32" && "$clang" --target=i386-linux-gnu $flags -fno-pic -ffunction-sections -c \
    "$here"/src/*.c "$here/test/small.c" "$here/test/small_i386.c")
if ld -m elf_i386 --gc-sections -o "$work/small" "$work"/32/*.o && { "$work/small" >"$work/32.txt" || test $? -lt 126; }
then
    cmp "$work/native.txt" "$work/32.txt"
    echo "32-bit: $(wc -l <"$work/32.txt") lines the same"
else
    echo "32-bit: cannot be run here"
fi
