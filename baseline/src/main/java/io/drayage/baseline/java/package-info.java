/** Java's own serialization, as the study ran it and with a buffer. */
@NullMarked
package io.drayage.baseline.java;

import org.jspecify.annotations.NullMarked;
