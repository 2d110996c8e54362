/** MessagePack with a traversal of its own. */
@NullMarked
package io.drayage.baseline.msgpack;

import org.jspecify.annotations.NullMarked;
