/** Sinks of cargoes that are not put together as a whole. */
@NullMarked
package io.drayage.segment.internal;

import org.jspecify.annotations.NullMarked;
