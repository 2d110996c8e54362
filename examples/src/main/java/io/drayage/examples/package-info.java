/** The programs that the documentation shows. */
@NullMarked
package io.drayage.examples;

import org.jspecify.annotations.NullMarked;
