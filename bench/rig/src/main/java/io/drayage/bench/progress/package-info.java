/** How a command shows on standard error what it has done: a bar on a terminal, else lines. */
@NullMarked
package io.drayage.bench.progress;

import org.jspecify.annotations.NullMarked;
