@NullMarked
package io.drayage.node;

import org.jspecify.annotations.NullMarked;
