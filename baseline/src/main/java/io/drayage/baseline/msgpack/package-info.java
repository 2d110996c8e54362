/** MessagePack, as the study ran it. */
@NullMarked
package io.drayage.baseline.msgpack;

import org.jspecify.annotations.NullMarked;
