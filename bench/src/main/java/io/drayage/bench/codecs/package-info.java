/**
 * How small and how fast serializers and compressors are without a transport, beside the figures of
 * the study.
 */
@NullMarked
package io.drayage.bench.codecs;

import org.jspecify.annotations.NullMarked;
