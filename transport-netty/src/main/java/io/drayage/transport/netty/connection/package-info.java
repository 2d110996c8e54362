/**
 * What both ends of a connection have in common: frames are received without a copy, heartbeats and
 * last words are written, and what is lost is named.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.transport.netty.connection;

import org.jspecify.annotations.NullMarked;
