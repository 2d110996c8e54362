/**
 * Codecs in isolation: the commands that measure how small and how fast serializers and compressors
 * are without a transport, beside what the study published.
 */
@NullMarked
package io.drayage.bench.codecs;

import org.jspecify.annotations.NullMarked;
