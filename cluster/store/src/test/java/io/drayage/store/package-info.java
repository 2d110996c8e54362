@NullMarked
package io.drayage.store;

import org.jspecify.annotations.NullMarked;
