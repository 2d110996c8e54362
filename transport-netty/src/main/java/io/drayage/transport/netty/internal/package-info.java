/** What the transport does for itself alone. */
@NullMarked
package io.drayage.transport.netty.internal;

import org.jspecify.annotations.NullMarked;
