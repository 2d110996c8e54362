/**
 * What a throughput comparison found: {@link io.drayage.bench.result.Run}s and their {@link
 * io.drayage.bench.result.Summary}, as Jackson writes them.
 */
@NullMarked
package io.drayage.bench.result;

import org.jspecify.annotations.NullMarked;
