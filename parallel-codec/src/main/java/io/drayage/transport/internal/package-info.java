/** What transports of this project share. */
@NullMarked
package io.drayage.transport.internal;

import org.jspecify.annotations.NullMarked;
