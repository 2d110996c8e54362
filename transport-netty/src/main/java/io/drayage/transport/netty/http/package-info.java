/**
 * Small pages over HTTP. Needs {@code io.netty:netty-codec-http} on the class path.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.transport.netty.http;

import org.jspecify.annotations.NullMarked;
