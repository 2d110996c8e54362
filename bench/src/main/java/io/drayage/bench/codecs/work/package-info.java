/**
 * The timed work, in a separate JVM: one whole cargo through one codec, again and again. {@link
 * io.drayage.bench.codecs.work.CodecBenchmark} is the benchmark, a {@link
 * io.drayage.bench.codecs.work.Work} what it does.
 */
@NullMarked
package io.drayage.bench.codecs.work;

import org.jspecify.annotations.NullMarked;
