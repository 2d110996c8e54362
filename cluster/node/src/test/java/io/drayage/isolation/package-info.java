@NullMarked
package io.drayage.isolation;

import org.jspecify.annotations.NullMarked;
