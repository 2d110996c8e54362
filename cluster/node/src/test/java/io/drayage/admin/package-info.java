@NullMarked
package io.drayage.admin;

import org.jspecify.annotations.NullMarked;
