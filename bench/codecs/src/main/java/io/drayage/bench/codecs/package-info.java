/**
 * The study's tables A, B and C: what serializers and compressors make of one cargo, and how long
 * they take. {@link io.drayage.bench.codecs.CodecBenchmark} is the benchmark, in a separate JVM; a
 * {@link io.drayage.bench.codecs.Work} is what it does.
 */
@NullMarked
package io.drayage.bench.codecs;

import org.jspecify.annotations.NullMarked;
