/**
 * What a node does before it says that it is ready, so that its first commit meets warm code.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.warmup;

import org.jspecify.annotations.NullMarked;
