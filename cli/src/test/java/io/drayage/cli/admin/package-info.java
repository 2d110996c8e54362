@NullMarked
package io.drayage.cli.admin;

import org.jspecify.annotations.NullMarked;
