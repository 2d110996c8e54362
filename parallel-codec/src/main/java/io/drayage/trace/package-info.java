/**
 * Traces by OpenTelemetry, an optional dependency: without its API on the class path, or without an
 * SDK, nothing is traced.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.trace;

import org.jspecify.annotations.NullMarked;
