@NullMarked
package io.drayage.snapshot;

import org.jspecify.annotations.NullMarked;
