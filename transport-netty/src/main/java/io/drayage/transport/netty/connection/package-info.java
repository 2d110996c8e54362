/**
 * What both ends of a connection have in common: frames are received without a copy, heartbeats and
 * last answers are written, and a lost connection is reported with its cause.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.transport.netty.connection;

import org.jspecify.annotations.NullMarked;
