//! Strongly connected components: nodes that can all be reached from one another.

/// For every node of a graph, the number of its strongly connected component (Tarjan, 1972). What a
/// component leads to has a smaller number.
pub fn components(successors: &[Vec<u32>]) -> Vec<u32> {
    let count = successors.len();
    let mut number = vec![u32::MAX; count];
    let mut low = vec![0_u32; count];
    let mut component = vec![u32::MAX; count];
    let (mut next, mut components) = (0, 0);
    let mut path: Vec<usize> = Vec::new();
    for start in 0..count {
        if number[start] != u32::MAX {
            continue;
        }
        let mut open = vec![(start, 0)];
        while let Some((node, edge)) = open.last_mut() {
            let node = *node;
            if *edge == 0 {
                number[node] = next;
                low[node] = next;
                next += 1;
                path.push(node);
            }
            if let Some(&to) = successors[node].get(*edge) {
                *edge += 1;
                let to = to as usize;
                if number[to] == u32::MAX {
                    open.push((to, 0));
                } else if component[to] == u32::MAX {
                    low[node] = low[node].min(number[to]);
                }
                continue;
            }
            open.pop();
            if let Some((parent, _)) = open.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == number[node] {
                while let Some(member) = path.pop() {
                    component[member] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    component
}
