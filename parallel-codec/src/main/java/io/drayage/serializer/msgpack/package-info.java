/** MessagePack with a traversal of its own. */
@NullMarked
package io.drayage.serializer.msgpack;

import org.jspecify.annotations.NullMarked;
