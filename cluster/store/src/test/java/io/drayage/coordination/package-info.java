@NullMarked
package io.drayage.coordination;

import org.jspecify.annotations.NullMarked;
