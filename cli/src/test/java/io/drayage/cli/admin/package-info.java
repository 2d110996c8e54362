/** Tests of this package. */
@NullUnmarked
package io.drayage.cli.admin;

import org.jspecify.annotations.NullUnmarked;
