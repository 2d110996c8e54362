/**
 * Traces by OpenTelemetry, an optional dependency: without its API on the class path, or without an
 * SDK, nothing is traced.
 */
@NullMarked
package io.drayage.trace;

import org.jspecify.annotations.NullMarked;
