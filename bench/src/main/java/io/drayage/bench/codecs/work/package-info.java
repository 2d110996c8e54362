/**
 * What is timed, in a JVM of its own: one whole cargo through one codec, over and over. {@link
 * io.drayage.bench.codecs.work.CodecBenchmark} is the benchmark, a {@link
 * io.drayage.bench.codecs.work.Work} what it does.
 */
@NullMarked
package io.drayage.bench.codecs.work;

import org.jspecify.annotations.NullMarked;
