//! Heap blocks in random programs: a small allocator, and statements that use it.
//!
//! The allocator has twelve units of two bytes and a flag for each: 0 for free, the number of units
//! at the first one of a block, 9 at the others. It takes the first room that is large enough, so
//! that blocks of other sizes come to lie over those that were given back.

use super::{Body, CHECKPOINT};

const MALLOC: usize = 6;
const FREE: usize = 7;
const REALLOC: usize = 8;

/// The global that holds pointers to blocks.
pub(crate) const POINTERS: usize = 8;
/// How many.
const COUNT: u64 = 2;

pub(super) const GLOBAL: &str = "global g8 \"pointers\" size 6 align 2 = { hex 00 }\n";

pub(super) const FUNCTIONS: &str = r#"function fn6 "malloc" (i16) -> ptr library {
b0(v0: i16):
 v1 = call fn9(i16 v0) -> ptr
 return v1
}
function fn7 "free" (ptr) library {
b0(v0: ptr):
 v1 = icmp eq ptr v0, 0
 branch v1, b1, b2
b1:
 return
b2:
 call fn10(ptr v0)
 return
}
function fn8 "realloc" (ptr, i16) -> ptr library {
b0(v0: ptr, v1: i16):
 v2 = icmp eq ptr v0, 0
 branch v2, b1, b2
b1:
 v3 = call fn9(i16 v1) -> ptr
 return v3
b2:
 v4 = call fn11(ptr v0, i16 v1) -> i16
 v5 = icmp ne i16 v4, 0
 branch v5, b3, b4
b3:
 return v0
b4:
 v6 = call fn9(i16 v1) -> ptr
 v7 = icmp eq ptr v6, 0
 branch v7, b5, b6
b5:
 return v6
b6:
 v8 = load i16 v0
 store i16 v8 to v6
 call fn10(ptr v0)
 return v6
}
function fn9 "heap_allocate" (i16) -> ptr library {
b0(v0: i16):
 v1 = service heap_start()
 v2 = lshr i16 v0, 1
 jump b1(0)
b1(v3: i16):
 v4 = icmp ult i16 v3, 10
 branch v4, b2, b5
b2:
 v5 = address v1, v3 * 1
 v6 = load i8 v5
 v7 = address v5, 0 * 1 + 1
 v8 = load i8 v7
 v9 = address v5, 0 * 1 + 2
 v10 = load i8 v9
 v11 = icmp ugt i16 v2, 1
 v12 = select i8 v11, v8, 0
 v13 = icmp ugt i16 v2, 2
 v14 = select i8 v13, v10, 0
 v15 = or i8 v6, v12
 v16 = or i8 v15, v14
 v17 = icmp eq i8 v16, 0
 branch v17, b3, b4
b3:
 v18 = trunc i16 v2 to i8
 store i8 v18 to v5
 branch v11, b6, b8
b4:
 v19 = add i16 v3, 1
 jump b1(v19)
b5:
 v20 = inttoptr i16 0 to ptr
 return v20
b6:
 store i8 9 to v7
 branch v13, b7, b8
b7:
 store i8 9 to v9
 jump b8
b8:
 v21 = address v1, v3 * 2 + 14
 service heap_allocated(v21, v0)
 return v21
}
function fn10 "heap_release" (ptr) library {
b0(v0: ptr):
 v1 = service heap_start()
 v2 = ptrtoint ptr v0 to i16
 v3 = ptrtoint ptr v1 to i16
 v4 = sub i16 v2, v3
 v5 = sub i16 v4, 14
 v6 = lshr i16 v5, 1
 v7 = icmp ult i16 v6, 12
 branch v7, b1, b2
b1:
 v8 = address v1, v6 * 1
 v9 = load i8 v8
 v10 = sub i8 v9, 1
 v11 = icmp ult i8 v10, 3
 branch v11, b3, b2
b2:
 service bad_free(v0)
 unreachable
b3:
 service heap_freed(v0)
 store i8 0 to v8
 v12 = icmp ugt i8 v9, 1
 branch v12, b4, b6
b4:
 v13 = address v8, 0 * 1 + 1
 store i8 0 to v13
 v14 = icmp ugt i8 v9, 2
 branch v14, b5, b6
b5:
 v15 = address v8, 0 * 1 + 2
 store i8 0 to v15
 jump b6
b6:
 return
}
function fn11 "heap_resize" (ptr, i16) -> i16 library {
b0(v0: ptr, v1: i16):
 v2 = service heap_start()
 v3 = ptrtoint ptr v0 to i16
 v4 = ptrtoint ptr v2 to i16
 v5 = sub i16 v3, v4
 v6 = sub i16 v5, 14
 v7 = lshr i16 v6, 1
 v8 = icmp ult i16 v7, 12
 branch v8, b1, b2
b1:
 v9 = address v2, v7 * 1
 v10 = load i8 v9
 v11 = sub i8 v10, 1
 v12 = icmp ult i8 v11, 3
 branch v12, b3, b2
b2:
 service bad_free(v0)
 unreachable
b3:
 v13 = lshr i16 v1, 1
 v14 = zext i8 v10 to i16
 v15 = icmp ugt i16 v13, v14
 branch v15, b4, b5
b4:
 return 0
b5:
 service heap_freed(v0)
 v16 = trunc i16 v13 to i8
 store i8 v16 to v9
 v17 = icmp ugt i16 v13, 1
 v18 = icmp ugt i16 v14, 1
 v19 = address v9, 0 * 1 + 1
 v20 = load i8 v19
 v21 = select i8 v18, 0, v20
 v22 = select i8 v17, v20, v21
 store i8 v22 to v19
 v23 = icmp ugt i16 v13, 2
 v24 = icmp ugt i16 v14, 2
 v25 = address v9, 0 * 1 + 2
 v26 = load i8 v25
 v27 = select i8 v24, 0, v26
 v28 = select i8 v23, v26, v27
 store i8 v28 to v25
 service heap_allocated(v0, v1)
 return 1
}
"#;

impl Body<'_> {
    /// Allocates, uses, resizes or frees a block.
    pub(super) fn heap(&mut self) {
        let at = self.choices.below(COUNT) * 2;
        let pointer = format!("g{POINTERS}+{at}");
        match self.choices.below(9) {
            0 | 1 => self.allocate(&pointer),
            2 | 3 => {
                let block = self.emit(&format!("load ptr {pointer}"));
                self.line(&format!("call fn{FREE}(ptr {block})"));
                self.line(&format!("store ptr 0 to {pointer}"));
            }
            4 => {
                let block = self.emit(&format!("load ptr {pointer}"));
                let size = self.size();
                let call = format!("call fn{REALLOC}(ptr {block}, i16 {size}) -> ptr");
                let block = self.emit(&call);
                self.line(&format!("store ptr {block} to {pointer}"));
            }
            _ => self.use_block(&pointer),
        }
    }

    /// Blocks that are there before the first checkpoint.
    pub(super) fn first_blocks(&mut self) {
        for number in 0..COUNT {
            self.allocate(&format!("g{POINTERS}+{}", number * 2));
        }
        self.line(&format!("call fn{CHECKPOINT}()"));
    }

    fn allocate(&mut self, pointer: &str) {
        let size = self.size();
        let block = self.emit(&format!("call fn{MALLOC}(i16 {size}) -> ptr"));
        self.line(&format!("store ptr {block} to {pointer}"));
    }

    fn size(&mut self) -> u64 {
        2 + 2 * self.choices.below(3)
    }

    /// Reads or writes a block, if there is one.
    fn use_block(&mut self, pointer: &str) {
        let block = self.emit(&format!("load ptr {pointer}"));
        let some = self.emit(&format!("icmp ne ptr {block}, 0"));
        let (then, after) = (self.block(), self.block());
        self.line(&format!("branch {some}, b{then}, b{after}"));
        self.current = then;
        let place = self.choices.pick(&[(0, 2), (0, 1), (1, 1)]);
        let place = match place {
            (0, size) => (block, size),
            (at, size) => (self.emit(&format!("address {block}, 0 * 1 + {at}")), size),
        };
        let scope = self.scope.len();
        match self.choices.below(3) {
            0 => {
                let value = self.load(&place);
                let location = self.location();
                self.store(&location, &value);
            }
            1 => {
                let value = self.value(0);
                self.store(&place, &value);
            }
            _ => {
                let old = self.load(&place);
                let other = self.value(0);
                let new = self.emit(&format!("add i16 {old}, {other}"));
                self.store(&place, &new);
            }
        }
        self.scope.truncate(scope);
        self.line(&format!("jump b{after}"));
        self.current = after;
    }
}
