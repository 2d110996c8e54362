/** What a study is, and the process that runs one. */
@NullMarked
package io.drayage.study;

import org.jspecify.annotations.NullMarked;
