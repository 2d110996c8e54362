/** The {@code throughput} command: its options, what it prints and the JSON that it writes. */
@NullMarked
package io.drayage.bench.throughput;

import org.jspecify.annotations.NullMarked;
