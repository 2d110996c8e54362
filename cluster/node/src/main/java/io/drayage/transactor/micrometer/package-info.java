/** A transactor's figures in a Micrometer registry. */
@NullMarked
package io.drayage.transactor.micrometer;

import org.jspecify.annotations.NullMarked;
