/** The HTTP endpoint by which a node is watched. */
@NullMarked
package io.drayage.admin;

import org.jspecify.annotations.NullMarked;
