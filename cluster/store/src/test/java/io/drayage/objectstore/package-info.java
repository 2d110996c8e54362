@NullMarked
package io.drayage.objectstore;

import org.jspecify.annotations.NullMarked;
