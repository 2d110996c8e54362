/**
 * The meters of a transactor in a Micrometer registry.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.transactor.micrometer;

import org.jspecify.annotations.NullMarked;
