/**
 * The warm-up of a node, which runs the commit's code before the node reports that it is ready.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.warmup;

import org.jspecify.annotations.NullMarked;
